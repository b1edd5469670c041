"""The termbase: concepts, their labels in all languages, and how to find them. Pure but for `yaml_files`."""
