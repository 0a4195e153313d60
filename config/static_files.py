"""How static files are stored in production: compressed, with the hash of their content in their name."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStatic(CompressedManifestStaticFilesStorage):
    """Hashes what JavaScript modules import as well, so that no old module meets a new one."""

    support_js_module_import_aggregation = True
