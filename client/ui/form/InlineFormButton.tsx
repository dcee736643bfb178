import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { focus } from './focus.ts'

type InlineFormButtonProps = { label: string; children: (close: () => void) => ReactNode }

/** A button that is replaced by a form, and gets the focus when the form closes. */
export function InlineFormButton({ label, children }: InlineFormButtonProps) {
  const [stage, setStage] = useState<'never opened' | 'open' | 'closed'>('never opened')
  if (stage === 'open') return children(() => setStage('closed'))
  return (
    <Button
      ref={stage === 'closed' ? focus : null}
      leftSection={<IconPlus size={16} stroke={1.5} />}
      variant="default"
      onClick={() => setStage('open')}
    >
      {label}
    </Button>
  )
}
