@rem What package.json says as `exec`, for the shell of Windows, which has none: npm runs scripts in this folder.
@%*
