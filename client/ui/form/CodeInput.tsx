import { TextInput, type TextInputProps } from '@mantine/core'

/** Field for a code of an authenticator app, or a recovery code. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    label="Code"
    description="From your authenticator app, or one of your recovery codes"
    autoComplete="one-time-code"
    spellCheck={false}
    {...props}
  />
)
