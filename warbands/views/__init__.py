"""Views: each fetches through access, parses a form, calls one service, and shows a page that pages/ built."""
