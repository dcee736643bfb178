import { useState } from 'react'
import type { Group } from '#events/search/string-format/conditions.ts'

const maxSteps = 100

type Steps = { past: Group[]; future: Group[]; shown: Group; typedIn: number | undefined }

/** A value may come back as a copy of the one passed to `onChange`. */
const isSame = (one: Group, other: Group) => one === other || JSON.stringify(one) === JSON.stringify(other)

/** Undo and redo. Typing in one condition is one step. A value from outside clears the history. */
export function useHistory(group: Group, onChange: (group: Group, isTyping: boolean) => void) {
  const [steps, setSteps] = useState<Steps>({ past: [], future: [], shown: group, typedIn: undefined })
  const isKnown = isSame(steps.shown, group)
  const { past, future, typedIn } = isKnown ? steps : { past: [], future: [], typedIn: undefined }
  const show = (next: Steps, isTyping = false) => {
    setSteps(next)
    onChange(next.shown, isTyping)
  }
  const [before, after] = [past.at(-1), future.at(-1)]
  return {
    /** `typing` is the condition being typed in; successive edits of it are one step. */
    edit: (
      shown: Group,
      { typing, isUnfinished = typing !== undefined }: { typing?: number; isUnfinished?: boolean },
    ) => {
      const goesOn = typing !== undefined && typing === typedIn
      const steps = { past: goesOn ? past : [...past, group].slice(-maxSteps), future: [], shown, typedIn: typing }
      show(steps, isUnfinished)
    },
    undo:
      before &&
      (() => show({ past: past.slice(0, -1), future: [...future, group], shown: before, typedIn: undefined })),
    redo:
      after && (() => show({ past: [...past, group], future: future.slice(0, -1), shown: after, typedIn: undefined })),
  }
}
