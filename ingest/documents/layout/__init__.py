"""What stands where on a page: text, headings, tables, pictures, notes and furniture, in order."""
