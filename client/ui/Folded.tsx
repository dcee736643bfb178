import { type ReactNode, useState } from 'react'
import classes from './Folded.module.css'

type FoldedProps = {
  summary: string
  /** An input differs from its default: open at first. */
  isSet: boolean
  /** An input is invalid: always open. */
  isInvalid: boolean
  children: ReactNode
}

/** Inputs that rarely differ from their defaults. */
export function Folded({ summary, isSet, isInvalid, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(isSet)
  return (
    <details
      className={classes.folded}
      open={isOpen || isInvalid}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
