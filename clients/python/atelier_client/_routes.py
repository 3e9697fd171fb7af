"""Where each operation of the service is.

Written by a program, `npm run generate:python`, from the OpenAPI document of the service.
"""

ROUTES = {
    "listFamilies": ("GET", "/families"),
    "getFamily": ("GET", "/families/{id}"),
    "uploadFile": ("POST", "/files"),
    "getFile": ("GET", "/files/{id}"),
    "deleteFile": ("DELETE", "/files/{id}"),
    "estimateGeneration": ("POST", "/generations/estimate"),
    "startGeneration": ("POST", "/generations"),
    "listGenerations": ("GET", "/generations"),
    "getGeneration": ("GET", "/generations/{id}"),
    "followGeneration": ("GET", "/generations/{id}/events"),
    "cancelGeneration": ("POST", "/generations/{id}/cancel"),
    "deleteResult": ("DELETE", "/generations/{id}/result"),
    "getAccount": ("GET", "/account"),
    "getUsage": ("GET", "/usage"),
    "getDescription": ("GET", "/openapi.json"),
}
