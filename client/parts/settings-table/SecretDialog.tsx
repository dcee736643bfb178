import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import type { Secret } from './declaration.ts'
import classes from './SettingsTable.module.css'

/** Shows a secret that can't be retrieved later, so only the button closes it. */
export function SecretDialog({ secret, onClose }: { secret: Secret | undefined; onClose: () => void }) {
  return (
    <Dialog opened={secret !== undefined} onClose={onClose} title={secret?.title ?? ''} size="M" holds>
      <p className={classes.warning}>{secret?.warning}</p>
      {secret?.content}
      <div className="flex end top-24">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}

type CopyableSecret = {
  title: string
  /** Subject of the text, such as "This API token". */
  label: string
  value: string
  /** Additional warning. */
  warning?: string
  /** Instructions for using it. */
  usage: ReactNode
}

/** A secret with a copy button and instructions. */
export const copiedSecret = ({ title, label, value, warning = '', usage }: CopyableSecret): Secret => ({
  title,
  warning: `${label} is not shown again. ${warning}`,
  content: (
    <>
      <CopyableText label={label} text={value} isFirst />
      <p className={classes.usage}>{usage}</p>
    </>
  ),
})
