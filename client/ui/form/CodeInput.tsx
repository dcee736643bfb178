import { TextInput, type TextInputProps } from '@mantine/core'

/** Field for a code that the user copies from elsewhere. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput label="Code" autoComplete="one-time-code" spellCheck={false} {...props} />
)

/** The same for a second factor that is on. */
export const SecondFactorInput = (props: TextInputProps) => (
  <CodeInput description="From your authenticator app, or one of your recovery codes" {...props} />
)
