import type { Explanation } from '../explanation.ts'
import type { FailureClass, failureTable } from './failures.ts'

type ClassExplanation<Class extends FailureClass> = Explanation & {
  reasons: Readonly<Record<keyof (typeof failureTable)[Class]['reasons'], Explanation>>
}

/** An explanation of each failure class and reason. A failure costs no credits. Contract: docs/contract.md#classes-and-reasons. */
export const failureExplanations: { readonly [Class in FailureClass]: ClassExplanation<Class> } = {
  content_policy: {
    meaning: 'The model refused the request because of its content.',
    remedy: 'Change the prompt or the input files. The same request fails again.',
    reasons: {
      prompt_rejected: { meaning: 'The prompt violates the content rules of the model.', remedy: 'Rewrite the prompt.' },
      input_rejected: { meaning: 'An input file violates the content rules of the model.', remedy: 'Use other input files.' },
      output_rejected: {
        meaning: 'The model produced a result that violates its own content rules, and rejected it.',
        remedy: 'Change the prompt or the input files.',
      },
    },
  },
  prompt_validation: {
    meaning: 'The model did not accept the prompt.',
    remedy: 'Rewrite the prompt, or choose another family.',
    reasons: {
      prompt_too_long: {
        meaning: 'The prompt is longer than the model allows. `details` has `maxLength` and `actualLength` if the model reports them.',
        remedy: 'Shorten the prompt.',
      },
      prompt_failed: { meaning: 'The model could not process the prompt.', remedy: 'Rewrite the prompt.' },
      prompt_images_failed: {
        meaning: 'The model could not use the images together with the prompt.',
        remedy: 'Use other images, or a prompt that matches them.',
      },
    },
  },
  parameter_validation: {
    meaning: 'The model did not accept a parameter or an input.',
    remedy: 'Compare the request with the schema of the family, and correct it.',
    reasons: {
      parameter_rejected: {
        meaning: 'The model refused a parameter, although it matches the schema of the family.',
        remedy: 'Use the defaults, then change one parameter at a time.',
      },
      input_rejected_by_model: {
        meaning: 'The model refused an input, although it matches the schema of the family.',
        remedy: 'Use an input with another codec, duration or size.',
      },
    },
  },
  file_size: {
    meaning: "An input file is outside the model's limits.",
    remedy: 'Use a file with another size.',
    reasons: {
      file_too_large: {
        meaning: 'An input file is larger than the model allows. `details` has `maxBytes` and `actualBytes` if the model reports them.',
        remedy: 'Compress or shorten the file, and upload the new file.',
      },
      file_too_small: {
        meaning: 'An input file is smaller than the model allows.',
        remedy: 'Use a larger file, for example of higher quality or longer duration.',
      },
    },
  },
  image_size: {
    meaning: 'The model does not accept the dimensions of an input image.',
    remedy: 'Use an image with another size.',
    reasons: {
      image_too_small: {
        meaning: 'An input image has fewer pixels than the model requires.',
        remedy: 'Enlarge the image, or use a larger one.',
      },
      image_too_large: { meaning: 'An input image has more pixels than the model allows.', remedy: 'Scale the image down.' },
      aspect_ratio_rejected: { meaning: 'The model does not accept the aspect ratio of an input image.', remedy: 'Crop the image.' },
    },
  },
  image_format: {
    meaning: 'An input file could not be read as an image.',
    remedy: 'Upload it again in a supported format.',
    reasons: {
      image_unreadable: {
        meaning: 'The model could not decode an input image.',
        remedy: 'Save the image as PNG or JPEG, and upload the new file.',
      },
    },
  },
  feature_limitation: {
    meaning: 'The model does not support this request.',
    remedy: 'Choose another family.',
    reasons: {
      not_supported: {
        meaning: 'The model does not support this feature, or not in combination with the rest of the request.',
        remedy: 'Choose another family or variant.',
      },
    },
  },
  model_unavailable: {
    meaning: 'The model is temporarily unavailable.',
    remedy: 'Choose another family, or repeat later.',
    reasons: {
      model_offline: { meaning: 'The model is disabled or does not work.', remedy: 'Repeat later, or choose another family.' },
      model_at_capacity: { meaning: 'The model is at capacity and accepts no more work.', remedy: 'Repeat in a few minutes.' },
    },
  },
  insufficient_credits: {
    meaning: 'The account ran out of credits before the work began.',
    remedy: 'Check the balance before you repeat.',
    reasons: {
      credits_exhausted: {
        meaning: 'The remaining credits were fewer than the price.',
        remedy: 'Ask the operator to add credits, then repeat.',
      },
    },
  },
  authentication: {
    meaning: 'The service temporarily has no access to the model. The request is not the cause.',
    remedy: 'Repeat later.',
    reasons: {
      provider_access_closed: {
        meaning: 'The vendor of the model refuses the credentials of this service.',
        remedy: 'Repeat later. If it fails again, contact the operator of the service.',
      },
    },
  },
  timeout: {
    meaning: 'The model did not answer in time.',
    remedy: 'Repeat. The same request may succeed.',
    reasons: {
      model_timeout: {
        meaning: 'The model reached its own time limit or did not respond.',
        remedy: 'Repeat, if possible with a shorter or smaller result.',
      },
      deadline_exceeded: { meaning: 'The work did not end within the time limit of the variant.', remedy: 'Repeat.' },
    },
  },
  provider_error: {
    meaning: 'The model failed temporarily.',
    remedy: 'Repeat. The same request may succeed.',
    reasons: {
      provider_failed: { meaning: 'The model reported an internal failure.', remedy: 'Repeat. If it fails again, choose another family.' },
      result_expired: { meaning: 'The result of the model expired before it could be downloaded.', remedy: 'Repeat.' },
    },
  },
  internal_error: {
    meaning: 'The service failed.',
    remedy: 'Repeat. The same request may succeed.',
    reasons: {
      unclassified: {
        meaning: 'The generation failed for an unknown reason.',
        remedy: 'Repeat. If it fails again, send the `generationId` to the operator of the service.',
      },
      storage_failed: { meaning: 'The model produced a result, but the service could not store it.', remedy: 'Repeat.' },
      submit_unknown: {
        meaning: 'The connection broke during the submission, and the vendor does not report whether the model received the work.',
        remedy: 'Repeat. The service did not submit the work a second time, so that the model runs it at most once.',
      },
    },
  },
  user_cancellation: {
    meaning: 'The work was cancelled.',
    remedy: 'None: the generation ended because of a cancel.',
    reasons: {
      cancelled_upstream: {
        meaning: 'The vendor of the model cancelled the work, not this API.',
        remedy: 'Start the generation again if you still need it.',
      },
    },
  },
}
