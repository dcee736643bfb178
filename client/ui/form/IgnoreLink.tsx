import { Anchor } from '@mantine/core'
import classes from './IgnoreLink.module.css'

type IgnoreLinkProps = { onClick: () => void; children: string }

/** Way past problems of a connection, at the start of a row of buttons. A link, since fixing them is the main way. */
export const IgnoreLink = ({ onClick, children }: IgnoreLinkProps) => (
  <Anchor component="button" type="button" className={classes.ignore} onClick={onClick}>
    {children}
  </Anchor>
)
