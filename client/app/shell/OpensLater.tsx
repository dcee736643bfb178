import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ComponentType,
  type ReactElement,
  type Ref,
  useEffect,
  useState,
} from 'react'
import { toastFailure } from '../toasts.ts'

type Button = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }

/** What a button opens: it draws the button, too, and opens when that is pressed. */
export type Opening = ComponentType<{ button: ReactElement<Button> }>

type OpensLaterProps = {
  load: () => Promise<Opening>
  opens: 'menu' | 'dialog'
  /** The button. */
  children: ReactElement<Button>
}

/**
 * A button whose menu or popover is no part of the first page: it is loaded when the pointer or the focus gets to the button, and
 * takes its place once that is pressed.
 */
export function OpensLater({ load, opens, children }: OpensLaterProps) {
  const [opening, open] = useState<{ as: Opening }>()
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
function Opened({ as: Opening, children }: { as: Opening; children: ReactElement<Button> }) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  useEffect(() => {
    button?.focus()
    button?.click()
  }, [button])
  return <Opening button={cloneElement(children, { ref: setButton })} />
}
