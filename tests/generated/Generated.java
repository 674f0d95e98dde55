/** What the main class of each generated program is. */
public interface Generated {
    /** Does what the program does; the second round finds what the first has left. */
    void run(int round);

    /** Adds the fields of the object to the checksum, and of what they refer to as deep as this. */
    void digest(int depth);
}
