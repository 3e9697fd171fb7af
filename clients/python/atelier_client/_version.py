"""The release of this package."""

VERSION = "0.3.0"
