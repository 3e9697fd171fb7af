type MediumBound = `${'min' | 'max'}${'Bytes' | 'Width' | 'Height' | 'AspectRatio' | 'DurationSeconds'}`

/**
 * What a model itself takes of one medium; what is absent has no limit. `mimeTypes` is empty when the variant takes none of it.
 * Aspect ratios are width by height.
 */
export type MediumLimits = { readonly mimeTypes: readonly string[] } & { readonly [Name in MediumBound]?: number | undefined }
