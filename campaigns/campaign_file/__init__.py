"""A campaign as one file, which another server imports. docs/campaign-file.md describes the format."""
