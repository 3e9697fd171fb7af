import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { type SnippetLanguage, verifySnippets } from './verifySnippets.ts'

const languages = Object.keys(verifySnippets) as SnippetLanguage[]

/** How a receiver verifies the signature of a request. */
export function VerifyIt() {
  const [language, setLanguage] = useState<SnippetLanguage>('Node.js')
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        data={languages}
        value={language}
        onChange={(chosen) => setLanguage(chosen)}
        aria-label="Language"
        style={{ alignSelf: 'flex-start' }}
      />
      <CodeBlock label="Verify it" code={verifySnippets[language]} heightMax={260} />
      <Text size="xs" c="dimmed">
        Anyone who knows the address can send requests to it. Only requests with a valid signature are from Atelier. Set the secret in the
        environment variable WEBHOOK_SECRET of the receiver.
      </Text>
    </Stack>
  )
}
