type MediumBound = `${'min' | 'max'}${'Bytes' | 'Width' | 'Height' | 'AspectRatio' | 'DurationSeconds'}`

/**
 * Limits of one variant for inputs of one medium. An absent bound means no limit. `mimeTypes` is empty if the variant does not accept the
 * medium.
 * Aspect ratios are width / height.
 */
export type MediumLimits = { readonly mimeTypes: readonly string[] } & { readonly [Name in MediumBound]?: number | undefined }
