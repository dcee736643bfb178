import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import classes from './CopyableText.module.css'

type CopyableTextProps = {
  /** Name of the text, such as "Seed". */
  label: string
  text: string
  /** Gets the initial focus of the dialog. */
  isFirst?: boolean
}

/** A text with a copy button. */
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
    <div className={`flex start gap-8 ${classes.frame}`}>
      <pre ref={place} className={classes.text}>
        {text}
      </pre>
      <Button
        variant="default"
        className={classes.button}
        leftSection={<Sign size={16} stroke={1.5} />}
        // Its name contains the visible text.
        aria-label={isCopied ? undefined : `Copy ${label.toLowerCase()}`}
        data-autofocus={isFirst}
        onClick={copy}
      >
        <span aria-live="polite">{isCopied ? 'Copied!' : 'Copy'}</span>
      </Button>
    </div>
  )
}

/** Falls back to `execCommand` over plain HTTP, where browsers have no clipboard API. Returns false if both fail. */
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
