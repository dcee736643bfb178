import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ComponentType,
  type ReactElement,
  type Ref,
  useEffect,
  useState,
} from 'react'
import { toastFailure } from '#client/app/toasts.ts'

type Button = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }

/** What a button opens: it draws the button, too, and opens when that is pressed. */
export type PopoverContent = ComponentType<{ button: ReactElement<Button> }>

type LazyPopoverProps = {
  load: () => Promise<PopoverContent>
  opens: 'menu' | 'dialog'
  /** The button. */
  children: ReactElement<Button>
}

/**
 * A button whose menu or popover is no part of the first page: it is loaded when the pointer or the focus gets to the button, and
 * takes its place once that is pressed.
 */
export function LazyPopover({ load, opens, children }: LazyPopoverProps) {
  const [opening, open] = useState<{ as: PopoverContent }>()
  if (opening) return <Opened as={opening.as}>{children}</Opened>
  const loadEarly = () => void load().catch(() => {})
  return cloneElement(children, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    onPointerEnter: loadEarly,
    onFocus: loadEarly,
    onClick: () => void load().then((as) => open({ as }), toastFailure),
  })
}

/** Does again, once the button is another one, the press that came before the menu was there. */
function Opened({ as: PopoverContent, children }: { as: PopoverContent; children: ReactElement<Button> }) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  useEffect(() => {
    button?.focus()
    button?.click()
  }, [button])
  return <PopoverContent button={cloneElement(children, { ref: setButton })} />
}
