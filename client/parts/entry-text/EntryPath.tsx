import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { toast } from '#client/app/toasts/toasts.ts'
import { textHint } from '#client/ui/text/visible.ts'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import { usePathText } from '#client/ui/values/displayOptions.state.ts'
import classes from './EntryText.module.css'

/**
 * A path, shortened according to the display options. Where it doesn't fit, its start is cut off, so that its end stays visible.
 * The full path is the tooltip.
 */
export function EntryPath({ path }: { path: string }) {
  const text = usePathText(path)
  return (
    <bdi className={classes.path} title={textHint(path)}>
      <span dir="ltr">
        <MarkedText text={text} />
      </span>
    </bdi>
  )
}

/** Duration of the toast, in milliseconds. */
const toastMs = 2_500

/** Copies the exact path to the clipboard. */
export function CopyPath({ path }: { path: string }) {
  return (
    <ActionIcon variant="subtle" aria-label="Copy the path" title="Copy the path" onClick={() => void copyPath(path)}>
      <IconCopy size={16} stroke={1.5} />
    </ActionIcon>
  )
}

export async function copyPath(path: string): Promise<void> {
  if (await copyText(path)) toast({ kind: 'info', message: 'File path copied to clipboard' }, toastMs)
  else toast({ kind: 'danger', message: 'The browser blocked access to the clipboard' })
}

/** Pages over plain HTTP have no clipboard API, so they use the copy command. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  let isTaken = false
  const take = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isTaken = true
  }
  document.addEventListener('copy', take, { once: true })
  document.execCommand('copy')
  document.removeEventListener('copy', take)
  return isTaken
}
