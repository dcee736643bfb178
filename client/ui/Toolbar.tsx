import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { moveAmong } from './table/arrowKeys.ts'

type ToolbarProps = { label: string; className?: string | undefined; children: ReactNode }

const usable = 'button:not(:disabled)'

/** Controls that are one tab stop: arrow keys, Home and End move among its buttons. The stop is the button used last. */
export function Toolbar({ label, className, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  // Buttons come, go and are disabled in the components of the toolbar, without a render of the toolbar itself.
  useLayoutEffect(() => {
    const element = bar.current
    if (!element) return undefined
    const update = () => keepOneStop(element)
    update()
    const watch = new MutationObserver(update)
    watch.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => watch.disconnect()
  }, [])
  return (
    <div
      ref={bar}
      className={className}
      role="toolbar"
      aria-label={label}
      tabIndex={-1}
      onFocus={({ currentTarget, target }) => keepOneStop(currentTarget, target)}
      onKeyDown={(event) => !event.defaultPrevented && moveAmong(event, bar.current, usable)}
    >
      {children}
    </div>
  )
}

function keepOneStop(bar: HTMLElement, focused?: Element): void {
  const buttons = [...bar.querySelectorAll<HTMLElement>(usable)]
  const stop =
    buttons.find((button) => button === focused) ?? buttons.find(({ tabIndex }) => tabIndex === 0) ?? buttons[0]
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
}
