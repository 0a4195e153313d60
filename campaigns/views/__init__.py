"""The views of campaigns. They connect forms, services and pages."""
