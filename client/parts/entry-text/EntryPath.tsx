import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { toast } from '#client/app/toasts.ts'
import { usePathText } from '#client/ui/values/displayOptions.state.ts'
import { visible } from './EntryName.tsx'
import classes from './EntryText.module.css'

/** A path as this browser shows paths: its folders give way and its end stays. The whole of it is one hover away. */
export function EntryPath({ path }: { path: string }) {
  const text = visible(usePathText(path))
  const name = text.lastIndexOf('/')
  return (
    <bdi className={classes.path} title={path}>
      <span className={classes.folders}>{text.slice(0, name)}</span>
      <span className={classes.end}>{text.slice(name)}</span>
    </bdi>
  )
}

/** How long the word of a copy stays, in milliseconds. */
const briefly = 2_500

/** Puts the exact path on the clipboard and says so. */
export function CopyPath({ path }: { path: string }) {
  return (
    <ActionIcon variant="subtle" aria-label="Copy the path" title="Copy the path" onClick={() => void copyPath(path)}>
      <IconCopy size={16} stroke={1.5} />
    </ActionIcon>
  )
}

export async function copyPath(path: string): Promise<void> {
  if (await copyText(path)) toast({ kind: 'info', message: 'File path copied to clipboard' }, briefly)
  else toast({ kind: 'danger', message: 'This browser does not let this page use the clipboard' })
}

/** Browsers offer the clipboard API to secure pages only; elsewhere the copy command is used. */
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
