"""Gates: Great Expectations suites, their verdict, and the dbt data tests."""
