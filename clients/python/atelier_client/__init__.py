"""A typed client of the Atelier API: generations that start exactly once, uploads, results and
verified webhooks. It has no dependencies.
"""

from ._async_generations import AsyncProgress as AsyncProgress
from ._blocking_generations import Progress as Progress
from ._model import Response as Response
from ._multipart import FileSource as FileSource
from ._requests import StartRequest as StartRequest
from ._version import VERSION as VERSION
from .async_client import AsyncAtelier as AsyncAtelier
from .client import Atelier as Atelier
from .errors import *  # noqa: F403
from .models import *  # noqa: F403
from .ready import GenerationNotReadyError as GenerationNotReadyError
from .ready import ReadyGeneration as ReadyGeneration
from .ready import expect_ready as expect_ready
from .refusals import *  # noqa: F403
from .webhooks import WebhookNotVerifiedError as WebhookNotVerifiedError
from .webhooks import verify_webhook as verify_webhook

__version__ = VERSION

# The names before 1.0.0.
GenerationNotReady = GenerationNotReadyError
WebhookNotVerified = WebhookNotVerifiedError
