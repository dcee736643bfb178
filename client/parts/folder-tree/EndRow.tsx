import { IconAlertOctagon } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import type { PartOfFolder } from '#events/folders/browse.ts'
import { countText } from '#client/ui/text/count.ts'
import { rowHeight } from './rowElements.ts'
import { childrenOf, type Tree } from './treeModel.ts'
import classes from './Tree.module.css'

type EndRowProps = {
  tree: Tree
  node: number
  is: PartOfFolder | 'empty'
  id: string
  index: number
  level: number
  isActive: boolean
}

/** Last row of a list: loading, error, more, or empty. */
export function EndRow({ tree, node, is, id, index, level, isActive }: EndRowProps) {
  return (
    <tr
      id={id}
      className={classes.row}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-level={level}
      style={{ top: index * rowHeight }}
    >
      <td className={`all-columns ${classes.end}`} style={{ '--level': level } as CSSProperties} colSpan={3}>
        <div className={classes.nameLine}>
          <span className={classes.check} />
          <span className={classes.fold} />
          {is === 'empty' ? (
            <span className={classes.quiet}>No folder found</span>
          ) : (
            <End tree={tree} node={node} part={is} />
          )}
        </div>
      </td>
    </tr>
  )
}

function End({ tree, node, part }: { tree: Tree; node: number; part: PartOfFolder }): ReactNode {
  const { state, nodes, total } = childrenOf(tree, node, part)
  const one = part === 'folders' ? 'folder' : 'file'
  if (state === 'loading')
    return (
      <span className={classes.waiting}>
        <span className="unseen">Loading {part}</span>
      </span>
    )
  if (state === 'failed')
    return (
      <span className="inline critical gap-8">
        <IconAlertOctagon size={16} stroke={1.5} aria-hidden />
        Unable to get the {part} of the folder
        <button type="button" data-do="more" tabIndex={-1} className={classes.link}>
          Retry
        </button>
      </span>
    )
  const left = total - nodes.length
  return (
    <button type="button" data-do="more" tabIndex={-1} className={classes.link}>
      Load more...{' '}
      <span className={classes.quiet}>
        {countText(left)} {left === 1 ? one : part} left
      </span>
    </button>
  )
}
