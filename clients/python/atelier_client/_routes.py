"""Where each operation of the service is.

Written by a program, `npm run generate:python`, from the OpenAPI document of the service.
"""

ROUTES = {
    "listFamilies": ("GET", "/families"),
    "getFamily": ("GET", "/families/{id}"),
    "uploadFile": ("POST", "/files"),
    "getFile": ("GET", "/files/{id}"),
    "estimateGeneration": ("POST", "/generations/estimate"),
    "startGeneration": ("POST", "/generations"),
    "listGenerations": ("GET", "/generations"),
    "getGeneration": ("GET", "/generations/{id}"),
    "cancelGeneration": ("POST", "/generations/{id}/cancel"),
    "getAccount": ("GET", "/account"),
    "getUsage": ("GET", "/usage"),
    "getDescription": ("GET", "/openapi.json"),
}
