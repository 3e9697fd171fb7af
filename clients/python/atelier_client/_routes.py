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
    "startBatch": ("POST", "/generations/batch"),
    "getGeneration": ("GET", "/generations/{id}"),
    "followGeneration": ("GET", "/generations/{id}/events"),
    "cancelGeneration": ("POST", "/generations/{id}/cancel"),
    "deleteResult": ("DELETE", "/generations/{id}/result"),
    "getAccount": ("GET", "/account"),
    "getUsage": ("GET", "/usage"),
    "listKeys": ("GET", "/keys"),
    "issueKey": ("POST", "/keys"),
    "getKey": ("GET", "/keys/{id}"),
    "updateKey": ("PATCH", "/keys/{id}"),
    "revokeKey": ("DELETE", "/keys/{id}"),
    "rotateKey": ("POST", "/keys/{id}/rotate"),
    "listWebhooks": ("GET", "/webhooks"),
    "createWebhook": ("POST", "/webhooks"),
    "getWebhook": ("GET", "/webhooks/{id}"),
    "updateWebhook": ("PATCH", "/webhooks/{id}"),
    "deleteWebhook": ("DELETE", "/webhooks/{id}"),
    "rotateWebhookSecret": ("POST", "/webhooks/{id}/rotate-secret"),
    "sendTestEvent": ("POST", "/webhooks/{id}/test"),
    "listDeliveries": ("GET", "/webhooks/{id}/deliveries"),
    "getDelivery": ("GET", "/deliveries/{id}"),
    "redeliver": ("POST", "/deliveries/{id}/redeliver"),
    "getDescription": ("GET", "/openapi.json"),
}
