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

/** Popover that also renders its button, and opens when the button is pressed. `P` are its other properties. */
export type PopoverContent<P = unknown> = ComponentType<P & { button: ReactElement<Button> }>

type LazyPopoverProps<P> = {
  load: () => Promise<PopoverContent<P>>
  opens: 'menu' | 'dialog'
  children: ReactElement<Button>
} & ([unknown] extends [P] ? { content?: never } : { content: P })

/**
 * A button whose menu or popover is not part of the first page. Its chunk loads on hover or focus, and replaces the
 * button on click.
 */
export function LazyPopover<P>({ load, opens, content, children }: LazyPopoverProps<P>) {
  const [opening, open] = useState<{ as: PopoverContent<P> }>()
  if (opening)
    return (
      <LoadedPopover as={opening.as} content={content as P}>
        {children}
      </LoadedPopover>
    )
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
function LoadedPopover<P>({
  as: PopoverContent,
  content,
  children,
}: {
  as: PopoverContent<P>
  content: P
  children: ReactElement<Button>
}) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  useEffect(() => {
    button?.focus()
    button?.click()
  }, [button])
  return <PopoverContent {...content} button={cloneElement(children, { ref: setButton })} />
}
