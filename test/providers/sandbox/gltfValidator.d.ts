declare module 'gltf-validator' {
  export type Report = {
    issues: { numErrors: number; numWarnings: number; messages: unknown[] }
    info: { totalTriangleCount: number; hasTextures: boolean }
  }
  export function validateBytes(bytes: Uint8Array): Promise<Report>
}
