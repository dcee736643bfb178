import {
  type ButtonHTMLAttributes,
  cloneElement,
  type ComponentType,
  type ReactElement,
  type Ref,
  useEffect,
  useState,
} from 'react'
import { toastFailure } from '#client/app/toasts/toasts.ts'

type Button = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }

/** Popover that also renders its button, and opens when the button is pressed. */
export type PopoverContent = ComponentType<{ button: ReactElement<Button> }>

type LazyPopoverProps = {
  load: () => Promise<PopoverContent>
  opens: 'menu' | 'dialog'
  children: ReactElement<Button>
}

/**
 * A button whose menu or popover is not part of the first page. Its chunk loads on hover or focus, and replaces the
 * button on click.
 */
export function LazyPopover({ load, opens, children }: LazyPopoverProps) {
  const [opening, open] = useState<{ as: PopoverContent }>()
  if (opening) return <LoadedPopover as={opening.as}>{children}</LoadedPopover>
  const loadEarly = () => void load().catch(() => {})
  return cloneElement(children, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    onPointerEnter: loadEarly,
    onFocus: loadEarly,
    onClick: () => void load().then((as) => open({ as }), toastFailure),
  })
}

/** Replays the click on the replaced button after the popover has loaded. */
function LoadedPopover({ as: PopoverContent, children }: { as: PopoverContent; children: ReactElement<Button> }) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  useEffect(() => {
    button?.focus()
    button?.click()
  }, [button])
  return <PopoverContent button={cloneElement(children, { ref: setButton })} />
}
