"""Views of campaigns: glue between forms, services and pages."""
