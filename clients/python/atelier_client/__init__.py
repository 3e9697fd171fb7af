"""A typed client of the Atelier API: generations that start exactly once, uploads, results and
verified webhooks. It has no dependencies.
"""

from ._async_generations import AsyncProgress as AsyncProgress
from ._blocking_generations import Progress as Progress
from ._multipart import FileSource as FileSource
from ._version import VERSION as __version__
from .async_client import AsyncAtelier as AsyncAtelier
from .client import Atelier as Atelier
from .errors import *  # noqa: F403
from .models import *  # noqa: F403
from .ready import GenerationNotReady as GenerationNotReady
from .ready import ReadyGeneration as ReadyGeneration
from .ready import expect_ready as expect_ready
from .refusals import *  # noqa: F403
from .webhooks import WebhookNotVerified as WebhookNotVerified
from .webhooks import verify_webhook as verify_webhook
