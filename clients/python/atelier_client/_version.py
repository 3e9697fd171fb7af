"""The release of this package."""

VERSION = "1.0.0"
