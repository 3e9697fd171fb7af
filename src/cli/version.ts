import manifest from '../../package.json' with { type: 'json' }

/** The release in package.json. */
export const version: string = manifest.version
