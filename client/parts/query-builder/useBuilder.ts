import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { searchFieldTypes } from '#events/search/criteria.ts'
import { isMetadataField } from '#events/search/query.ts'
import type { Volume } from '#events/snapshots.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { type Group, titleOf } from '#events/search/string-format/conditions.ts'
import { gapAt, movedBy, movedTo, type Place, placeOf, type DropTarget, withoutItem } from './moves.ts'
import { useHistory } from './useHistory.ts'

export type BuilderProps = {
  group: Group
  volumes: readonly Volume[]
  /** Reason why the conditions can't be used, from the surrounding screen. */
  error: string | undefined
  /** `isTyping` is true for intermediate states while text is typed. */
  onChange: (group: Group, isTyping: boolean) => void
}

/** State and actions shared by the parts of the builder. */
export type Builder = ReturnType<typeof useBuilder>

export function useBuilder({ group, volumes, onChange }: BuilderProps) {
  const { edit, undo, redo } = useHistory(group, onChange)
  const metadata = useMetadataFields()
  const [announcement, announce] = useState('')
  const { root, focusLater } = useFocus(group)

  const place = (next: Group | undefined, id: number) => {
    if (!next) return announce(`${nameOf(placeOf(group, id))} cannot be moved further.`)
    focusLater(id)
    edit(next, {})
    return announce(`${nameOf(placeOf(next, id))} moved to ${placeWords(placeOf(next, id))}.`)
  }
  const remove = (id: number) => {
    const parent = placeOf(group, id)?.parent
    if (parent) focusLater(parent.id)
    edit(withoutItem(group, id), {})
    announce(`${nameOf(placeOf(group, id))} removed.`)
  }
  const step = (message: string, go: (() => void) | undefined) => go && (() => (go(), announce(message)))
  return {
    root,
    group,
    volumes,
    metadata,
    announcement,
    edit,
    remove,
    undo: step('Undone.', undo),
    redo: step('Redone.', redo),
    move: (id: number, by: -1 | 1) => place(movedBy(group, id, by), id),
    ...useDrag(group, place),
  }
}

/** Dragged item and its drop target. */
function useDrag(group: Group, place: (next: Group | undefined, id: number) => void) {
  const [dragged, drag] = useState<number>()
  const [under, setUnder] = useState<DropTarget>()
  const dropped = (under: DropTarget): Group | undefined => {
    const gap = dragged === undefined ? undefined : gapAt(group, dragged, under)
    return dragged === undefined || !gap ? undefined : movedTo(group, dragged, gap)
  }
  const endDrag = () => {
    drag(undefined)
    setUnder(undefined)
  }
  return {
    /** Drop target under the pointer, if it accepts the item. */
    under,
    drag,
    endDrag,
    dragOver: (under: DropTarget) => {
      const canDrop = dropped(under) !== undefined
      setUnder(canDrop ? under : undefined)
      return canDrop
    },
    drop: (under: DropTarget) => {
      const next = dropped(under)
      if (next && dragged !== undefined) place(next, dragged)
      endDrag()
    },
  }
}

const nameOf = (place: Place | undefined) =>
  place && 'condition' in place.item ? `Condition of ${titleOf(place.item.condition.field)}` : 'Group'
const placeWords = (place: Place | undefined) =>
  place ? `level ${place.level}, ${place.index + 1} of ${place.count}` : 'nowhere'

/** Metadata fields of the snapshot. If they can't be loaded, only built-in fields are offered. */
function useMetadataFields() {
  const { indexingDate } = useActiveDate()
  const { data, error, retry } = useRemote(searchFieldTypes, { query: { indexingDate } }, 'snapshots')
  return { fields: Object.keys(data ?? {}).filter(isMetadataField), error, retry }
}

/** Keeps the focus on a moved item, which may remount in another group, and in the group of a removed item. */
function useFocus(group: Group) {
  const root = useRef<HTMLElement>(null)
  const waiting = useRef<{ id: number; label: string | null }>(undefined)
  const focusLater = (id: number) => {
    const label = root.current?.contains(document.activeElement)
      ? document.activeElement?.getAttribute('aria-label')
      : null
    waiting.current = { id, label: label ?? null }
  }
  const focus = useEffectEvent((_: Group) => {
    const item = waiting.current && root.current?.querySelector(`[data-item="${waiting.current.id}"]`)
    if (!item || item.contains(document.activeElement)) return
    const controls = [...item.querySelectorAll<HTMLElement>('[data-grip], [data-add], input, select, button')]
    // Focused elements elsewhere, such as in a grip's menu, have no label here.
    const { label } = waiting.current ?? {}
    const same = label ? controls.find((control) => control.getAttribute('aria-label') === label) : undefined
    const own = controls.find((control) => control.matches('[data-grip], [data-add]'))
    const target = same ?? own
    target?.focus()
  })
  useEffect(() => {
    focus(group)
    waiting.current = undefined
  }, [group])
  return { root, focusLater }
}
