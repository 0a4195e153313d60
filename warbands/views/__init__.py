"""Views of warbands. Each view fetches rows through access, validates a form, calls one service and renders a page from pages/."""
