import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { moveAmong } from './table/arrowKeys.ts'
import classes from './Tabs.module.css'

export type Tab<K extends string> = { key: K; title: string; note?: ReactNode; content: ReactNode }

type TabsProps<K extends string> = { label: string; tabs: Tab<K>[]; shown: K; onShow: (key: K) => void }

/** Tabs; arrow keys move between them. */
export function Tabs<K extends string>({ label, tabs, shown, onShow }: TabsProps<K>) {
  const id = useId()
  return (
    <div>
      {/* A single tab stop: the keys of the tabs arrive here. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div className={classes.list} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ key, title, note }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            className={classes.tab}
            aria-selected={key === shown}
            aria-controls={key === shown ? `${id}-panel` : undefined}
            tabIndex={key === shown ? 0 : -1}
            onClick={() => onShow(key)}
          >
            {title}
            {note !== undefined && <span className={classes.note}>{note}</span>}
          </button>
        ))}
      </div>
      <div key={shown} role="tabpanel" id={`${id}-panel`} className={classes.panel} aria-labelledby={`${id}-${shown}`}>
        {tabs.find(({ key }) => key === shown)?.content}
      </div>
    </div>
  )
}

/** Shows the tab that a key has moved to. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const before = document.activeElement
  moveAmong(event, event.currentTarget, '[role="tab"]')
  const { activeElement } = document
  if (activeElement !== before && activeElement instanceof HTMLElement) activeElement.click()
}
