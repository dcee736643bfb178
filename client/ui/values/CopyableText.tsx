import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './CopyableText.module.css'

type CopyableTextProps = {
  /** What it is, such as "Seed". */
  label: string
  text: string
  /** The dialog that shows it begins here. */
  isFirst?: boolean
}

/** A text to be taken elsewhere, with a button that copies it. */
export function CopyableText({ label, text, isFirst }: CopyableTextProps) {
  const place = useRef<HTMLPreElement>(null)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    select(place.current)
    void write(text).then(setCopied)
  }
  const Sign = isCopied ? IconCheck : IconCopy
  return (
    <div className={classes.frame}>
      <pre ref={place} className={classes.text}>
        {text}
      </pre>
      <Button
        variant="default"
        className={classes.button}
        leftSection={<Sign size={16} stroke={1.5} />}
        aria-label={`Copy ${label.toLowerCase()}`}
        data-autofocus={isFirst}
        onClick={copy}
      >
        <span aria-live="polite">{isCopied ? 'Copied!' : 'Copy'}</span>
      </Button>
    </div>
  )
}

/** Whether it is in the clipboard now: browsers give it to pages on a safe line only, else the selection can be copied by hand. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return document.execCommand('copy')
  }
}

function select(element: HTMLElement | null): void {
  if (element) getSelection()?.selectAllChildren(element)
}
