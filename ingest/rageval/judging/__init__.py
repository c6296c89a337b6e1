"""Judging of answers: statements of both sides, and what entails them."""
