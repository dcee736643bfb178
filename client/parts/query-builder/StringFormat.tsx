import { Textarea } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import type { Group } from '#events/search/string-format/conditions.ts'
import { parseQuery } from '#events/search/string-format/parseQuery.ts'
import { printQuery } from '#events/search/string-format/printQuery.ts'
import { QueryTextError } from '#events/search/string-format/Scanner.ts'
import type { Builder } from './useBuilder.ts'

/** Edited text of a tree. Discarded when the tree changes. */
type Draft = { text: string; of: string; error?: QueryTextError }

/** Conditions as editable text. Enter or blur applies it, Escape discards it. */
export function StringFormat({ builder: { group, volumes, edit } }: { builder: Builder }) {
  const printed = printQuery(group, volumes)
  const [draft, setDraft] = useState<Draft>()
  const shown = draft?.of === printed ? draft : undefined
  const apply = (field: HTMLTextAreaElement, showsPlace: boolean) => {
    if (!shown) return
    if (shown.text === printed) return setDraft(undefined)
    const read = tryToParse(shown.text, volumes)
    if (!(read instanceof QueryTextError)) {
      setDraft(undefined)
      return edit(read, {})
    }
    setDraft({ ...shown, error: read })
    if (showsPlace) field.setSelectionRange(read.at, read.at)
    return undefined
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && shown) {
      event.stopPropagation()
      setDraft(undefined)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    apply(event.currentTarget, true)
  }
  return (
    <Textarea
      label="String format"
      description="Edit the conditions as text. Enter applies the change, Escape discards it."
      placeholder={'Name matches "*.mov" AND Size is at least 1 GiB'}
      classNames={{ input: 'small mono' }}
      autosize
      maxRows={8}
      spellCheck={false}
      autoComplete="off"
      value={shown?.text ?? printed}
      error={shown?.error && `${placeOf(shown.error, shown.text)}: ${shown.error.message}`}
      onChange={({ currentTarget }) => setDraft({ text: currentTarget.value, of: printed })}
      onBlur={({ currentTarget }) => apply(currentTarget, false)}
      onKeyDown={press}
    />
  )
}

const placeOf = ({ at }: QueryTextError, text: string) => (at >= text.length ? 'At the end' : `Character ${at + 1}`)

function tryToParse(text: string, volumes: Builder['volumes']): Group | QueryTextError {
  try {
    return parseQuery(text, volumes)
  } catch (error) {
    if (error instanceof QueryTextError) return error
    throw error
  }
}
