// The identities of findings for commands that run a program the user names, without a campaign: the same as a campaign gives.

import type { Finding } from "../findings/finding.js";
import { type FindingIdentity, identify } from "../findings/identity.js";
import { ProgramFunctions } from "../findings/program-functions.js";
import type { ProgramImage } from "../jit/image.js";
import { compiledContents, readOnce, sourceRoots, sourcesBelow } from "../project/sources.js";

export function identitiesIn(image: ProgramImage, program: string): (finding: Finding) => FindingIdentity {
  const root = process.cwd();
  const readSource = readOnce(sourcesBelow(sourceRoots(program, root), compiledContents(image.sources)));
  const known = { program, root, functions: new ProgramFunctions(image), readSource };
  return (finding) => identify(finding, known);
}
