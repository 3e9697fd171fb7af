import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import type { GenerationBody } from '../catalog/generationBody.ts'
import { type Language, languages, requestCode } from './requestCode.ts'

/** The same request for a program. */
export function RequestCode({ body, maxCredits }: { body: GenerationBody; maxCredits: number | undefined }) {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Stack component="section" gap="xs" aria-label="The same request as code">
      <SegmentedControl size="xs" data={[...languages]} value={language} aria-label="Language" onChange={(chosen) => setLanguage(chosen)} />
      <CodeBlock
        label="The same request"
        code={requestCode(language, { origin: location.origin, body, maxCredits })}
        wrap
        heightMax={260}
      />
      <Text size="xs" c="dimmed">
        It needs a key with the scopes generations:write and generations:read in the variable ATELIER_KEY.
      </Text>
    </Stack>
  )
}
