type MediumBound = `${'min' | 'max'}${'Bytes' | 'Width' | 'Height' | 'AspectRatio' | 'DurationSeconds'}`

/**
 * The limits of a model for one medium; an absent bound is no limit. `mimeTypes` is empty when the variant does not accept the medium.
 * Aspect ratios are width / height.
 */
export type MediumLimits = { readonly mimeTypes: readonly string[] } & { readonly [Name in MediumBound]?: number | undefined }
