// JGit as a client on the command line; run by test/clients, which says what each operation must do:
// clone URL FOLDER [DEPTH] · fetch FOLDER [DEPTH] · push FOLDER BRANCH, with the token in GIT_CLIENT_TOKEN.

import java.io.File;
import org.eclipse.jgit.api.CloneCommand;
import org.eclipse.jgit.api.FetchCommand;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.transport.PushResult;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;

public final class JgitClient {
  public static void main(String[] args) {
    try {
      run(args);
      System.exit(0);
    } catch (Exception error) { // whatever a person would see
      for (Throwable cause = error; cause != null; cause = cause.getCause()) System.err.println(cause);
      System.exit(1);
    }
  }

  private static void run(String[] args) throws Exception {
    switch (args[0]) {
      case "clone" -> {
        CloneCommand clone = Git.cloneRepository().setURI(args[1]).setDirectory(new File(args[2]));
        if (args.length > 3) clone.setDepth(Integer.parseInt(args[3]));
        withToken(clone).call().close();
      }
      case "fetch" -> {
        try (Git git = Git.open(new File(args[1]))) {
          FetchCommand fetch = git.fetch().setRemote("origin");
          if (args.length > 2) fetch.setDepth(Integer.parseInt(args[2]));
          withToken(fetch).call();
        }
      }
      case "push" -> {
        try (Git git = Git.open(new File(args[1]))) {
          String ref = "refs/heads/" + args[2];
          RefSpec spec = new RefSpec(ref + ":" + ref);
          for (PushResult result : withToken(git.push()).setRemote("origin").setRefSpecs(spec).call()) {
            System.err.print(result.getMessages());
            for (RemoteRefUpdate update : result.getRemoteUpdates()) expectMoved(update);
          }
        }
      }
      default -> throw new IllegalArgumentException("no operation " + args[0]);
    }
  }

  private static void expectMoved(RemoteRefUpdate update) {
    switch (update.getStatus()) {
      case OK, UP_TO_DATE -> {}
      default -> {
        String why = update.getStatus() + " " + update.getMessage();
        throw new IllegalStateException(update.getRemoteName() + ": " + why);
      }
    }
  }

  private static <C extends TransportCommand<C, ?>> C withToken(C command) {
    String token = System.getenv("GIT_CLIENT_TOKEN");
    if (token == null) return command;
    return command.setCredentialsProvider(new UsernamePasswordCredentialsProvider("x", token));
  }
}
