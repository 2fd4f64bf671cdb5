// The verifiers of docs/verifiers, which are tested there in their own languages; without the program around them.
import java from '../../../../docs/verifiers/Verify.java?raw'
import go from '../../../../docs/verifiers/verify.go?raw'
import node from '../../../../docs/verifiers/verify.mjs?raw'
import php from '../../../../docs/verifiers/verify.php?raw'
import python from '../../../../docs/verifiers/verify.py?raw'
import ruby from '../../../../docs/verifiers/verify.rb?raw'
import { withoutProgram } from './without-program.ts'

export const verifiers: readonly { name: string; code: string }[] = [
  { name: 'Node', code: withoutProgram(node) },
  { name: 'Python', code: withoutProgram(python) },
  { name: 'PHP', code: withoutProgram(php) },
  { name: 'Go', code: withoutProgram(go) },
  { name: 'Ruby', code: withoutProgram(ruby) },
  { name: 'Java', code: withoutProgram(java) },
]
