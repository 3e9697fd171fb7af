import type { Explanation } from '../explanation.ts'
import type { FailureClass, failureTable } from './failures.ts'

type ClassExplanation<Class extends FailureClass> = Explanation & {
  reasons: Readonly<Record<keyof (typeof failureTable)[Class]['reasons'], Explanation>>
}

/** Each class of failures and each of its reasons explained. None of them costs credits. Contract: docs/contract.md#classes-and-reasons. */
export const failureExplanations: { readonly [Class in FailureClass]: ClassExplanation<Class> } = {
  content_policy: {
    meaning: 'The model refused on content.',
    remedy: 'Change the prompt or the input files; the same request is refused the same way.',
    reasons: {
      prompt_rejected: { meaning: "The prompt goes against the model's content rules.", remedy: 'Rewrite the prompt.' },
      input_rejected: { meaning: "An input file goes against the model's content rules.", remedy: 'Use other input files.' },
      output_rejected: {
        meaning: "The model made a result and withheld it, since it goes against the model's content rules.",
        remedy: 'Change the prompt or the input files, so that the result turns out otherwise.',
      },
    },
  },
  prompt_validation: {
    meaning: 'The model did not accept the prompt.',
    remedy: 'Rewrite the prompt, or choose another family.',
    reasons: {
      prompt_too_long: {
        meaning: 'The prompt is longer than the model takes; `details` has `maxLength` and `actualLength` where the model tells them.',
        remedy: 'Shorten the prompt.',
      },
      prompt_failed: { meaning: 'The model could make nothing of the prompt.', remedy: 'Say it in other words.' },
      prompt_images_failed: {
        meaning: 'The model could not bring the images and the prompt together.',
        remedy: 'Use other images, or a prompt that goes with them.',
      },
    },
  },
  parameter_validation: {
    meaning: 'A parameter or an input does not suit the model.',
    remedy: "Check the request against the family's schema, and correct it.",
    reasons: {
      parameter_rejected: {
        meaning: "The model refused a parameter, although it fits the family's schema.",
        remedy: 'Go back to the defaults, and change one parameter at a time.',
      },
      input_rejected_by_model: {
        meaning: "The model refused an input, although it fits the family's schema.",
        remedy: 'Use another input: another codec, duration or size.',
      },
    },
  },
  file_size: {
    meaning: "An input file is outside the model's limits.",
    remedy: 'Use a file of another size.',
    reasons: {
      file_too_large: {
        meaning: 'An input file is larger than the model takes; `details` has `maxBytes` and `actualBytes` where the model tells them.',
        remedy: 'Compress or shorten the file, and upload that.',
      },
      file_too_small: {
        meaning: 'An input file is smaller than the model takes.',
        remedy: 'Use a file of better quality, or a longer one.',
      },
    },
  },
  image_size: {
    meaning: 'The dimensions of an input image do not suit the model.',
    remedy: 'Use an image of another size.',
    reasons: {
      image_too_small: {
        meaning: 'An input image has fewer pixels than the model takes.',
        remedy: 'Enlarge the image, or use a larger one.',
      },
      image_too_large: { meaning: 'An input image has more pixels than the model takes.', remedy: 'Scale the image down.' },
      aspect_ratio_rejected: { meaning: 'The model does not take the proportions of an input image.', remedy: 'Crop the image.' },
    },
  },
  image_format: {
    meaning: 'An input file could not be read as an image.',
    remedy: 'Upload it again in a supported format.',
    reasons: {
      image_unreadable: {
        meaning: 'The model could not decode an input image.',
        remedy: 'Save the image anew as a PNG or JPEG, and upload that.',
      },
    },
  },
  feature_limitation: {
    meaning: 'The model cannot do what was asked.',
    remedy: 'Choose another family.',
    reasons: {
      not_supported: {
        meaning: 'The model has no such ability, or not together with the rest of the request.',
        remedy: 'Choose another family or variant.',
      },
    },
  },
  model_unavailable: {
    meaning: 'The model cannot be used at the moment.',
    remedy: 'Choose another family, or repeat later.',
    reasons: {
      model_offline: { meaning: 'The model is switched off or out of order.', remedy: 'Repeat later, or choose another family.' },
      model_at_capacity: { meaning: 'The model takes no more work just now.', remedy: 'Repeat in a few minutes.' },
    },
  },
  insufficient_credits: {
    meaning: 'The credits ran out before the work began.',
    remedy: 'Check the balance before you repeat.',
    reasons: {
      credits_exhausted: { meaning: 'What was left could not pay for the work.', remedy: 'Have credits added, then repeat.' },
    },
  },
  authentication: {
    meaning: 'Access to the model is closed for a while; the request is not at fault.',
    remedy: 'Repeat later.',
    reasons: {
      provider_access_closed: {
        meaning: "The model's vendor refuses the access of this service.",
        remedy: "Repeat later; if it stays, tell the service's operator.",
      },
    },
  },
  timeout: {
    meaning: 'The model did not answer in time.',
    remedy: 'Repeat; the same request may pass.',
    reasons: {
      model_timeout: {
        meaning: 'The model gave up, or did not answer, within its own time.',
        remedy: 'Repeat, perhaps with a shorter or smaller result.',
      },
      deadline_exceeded: { meaning: 'The work was not done within the longest time that the variant allows.', remedy: 'Repeat.' },
    },
  },
  provider_error: {
    meaning: 'The model failed for the moment.',
    remedy: 'Repeat; the same request may pass.',
    reasons: {
      provider_failed: { meaning: 'The model reported a failure of its own.', remedy: 'Repeat; if it stays, choose another family.' },
      result_expired: { meaning: 'The model made a result that was gone before it could be fetched.', remedy: 'Repeat.' },
    },
  },
  internal_error: {
    meaning: 'Something failed on our side.',
    remedy: 'Repeat; the same request may pass.',
    reasons: {
      unclassified: {
        meaning: 'The work ended without a cause that we know.',
        remedy: "Repeat; if it stays, tell the service's operator the `generationId`.",
      },
      storage_failed: { meaning: 'The result was made, but could not be stored.', remedy: 'Repeat.' },
      submit_unknown: {
        meaning: 'The connection broke while the work was handed over, and the model cannot tell whether it received it.',
        remedy: 'Repeat. It was not sent a second time, so that nothing is made twice.',
      },
    },
  },
  user_cancellation: {
    meaning: 'The work was cancelled.',
    remedy: 'Nothing: this is the answer to a cancel.',
    reasons: {
      cancelled_upstream: {
        meaning: 'The work was cancelled at the model, not by this API.',
        remedy: 'Start it again if it is still wanted.',
      },
    },
  },
}
