import type { FileInput } from '../files/fileInput.ts'
import type { GenerationRequest } from '../openapi.ts'

/** What the families of your catalog take, by their ids. `atelier-client types` writes a file that adds them. */
export interface CatalogFamilies {}

/** Files to upload on the way, instead of identifiers in `imageIds`, `videoId`, `videoIds`, `audioIds` and `model3dIds`. */
export type RequestFiles = {
  images?: readonly FileInput[] | undefined
  videos?: readonly FileInput[] | undefined
  audios?: readonly FileInput[] | undefined
  models3d?: readonly FileInput[] | undefined
}

type Choices = 'axes' | 'modelId' | 'parameters'

/** The request of a start. Axes, variants and parameters have the types of the family, once {@link CatalogFamilies} has it. */
export type StartRequest<Id extends string = string> = { familyId: Id } & Omit<GenerationRequest, 'familyId' | Choices> &
  RequestFiles &
  ChoicesOf<Id>

type ChoicesOf<Id extends string> = string extends Id
  ? Pick<GenerationRequest, Choices>
  : Id extends keyof CatalogFamilies
    ? CatalogFamilies[Id]
    : [keyof CatalogFamilies] extends [never]
      ? Pick<GenerationRequest, Choices>
      : { familyId: keyof CatalogFamilies }
