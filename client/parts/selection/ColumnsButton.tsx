import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import type { ColumnsMenuProps } from '#client/ui/table/ColumnsMenu.tsx'
import classes from '#client/ui/table/DisplayToggles.module.css'

const loadColumns = () => import('#client/ui/table/ColumnsMenu.tsx').then((m) => m.ColumnsMenu)

/** Opens the list of columns. */
export const ColumnsButton = (props: ColumnsMenuProps) => (
  <LazyPopover load={loadColumns} opens="dialog" content={props}>
    <button type="button" className={classes.toggle}>
      Columns
    </button>
  </LazyPopover>
)
