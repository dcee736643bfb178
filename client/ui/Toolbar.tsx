import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { moveAmong } from './table/arrowKeys.ts'

type ToolbarProps = {
  label: string
  className?: string | undefined
  /** Selector of the controls of a list, in which up, down, `j` and `k` move too. By default, the buttons of a toolbar. */
  items?: string
  children: ReactNode
}

const usable = 'button:not(:disabled)'

/** Controls that are one tab stop: arrow keys, Home and End move among its buttons. The stop is the button used last. */
export function Toolbar({ label, className, items, children }: ToolbarProps) {
  const selector = items ?? usable
  const bar = useRef<HTMLDivElement>(null)
  // Buttons come, go and are disabled in the components of the toolbar, without a render of the toolbar itself.
  useLayoutEffect(() => {
    const element = bar.current
    if (!element) return undefined
    const update = () => keepOneStop(element, selector)
    update()
    const watch = new MutationObserver(update)
    watch.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => watch.disconnect()
  }, [selector])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it has one of two roles
    <div
      ref={bar}
      className={className}
      role={items === undefined ? 'toolbar' : 'group'}
      aria-label={label}
      tabIndex={-1}
      onFocus={({ currentTarget, target }) => keepOneStop(currentTarget, selector, target)}
      onKeyDown={(event) => !event.defaultPrevented && moveAmong(event, bar.current, selector, items !== undefined)}
    >
      {children}
    </div>
  )
}

function keepOneStop(bar: HTMLElement, selector: string, focused?: Element): void {
  const buttons = [...bar.querySelectorAll<HTMLElement>(selector)]
  const stop =
    buttons.find((button) => button === focused) ?? buttons.find(({ tabIndex }) => tabIndex === 0) ?? buttons[0]
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
}
